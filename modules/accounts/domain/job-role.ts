/**
 * The role of a job (岗位角色): what every company starts with and may then change. `grants` names menus, or
 * whole modules by `name.*`, with the flags it gives; `*` gives them all. A module that comes in adds its
 * menus here, or nobody but the owner, the auditor and the wildcards gets to it.
 */
export interface JobRole {
  readonly key: string
  readonly name: string
  readonly desc: string
  readonly grants: Readonly<Record<string, string>>
  /** Not offered to a company without this module: the job would have nothing to do. */
  readonly needsModule?: string
}
