import { familySuite } from "../testing/index.ts";
import { serviceConfiguration } from "./index.ts";

familySuite(serviceConfiguration, { shapes: 10 });
