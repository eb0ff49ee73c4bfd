// Skills read from folders, checkouts, marketplaces and plain Markdown.
export { readSkills } from "./read-skills.ts";
export type { FoundSkills, RejectedSkill, Skill, SkillGroup } from "./skill.ts";
