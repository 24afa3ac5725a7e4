import { nameplate } from '#kit/contract/module.ts'

/** What every screen uses and no trade owns: tasks, files, enumerations, preferences. All of it is everyone's own, so there is nothing to grant. */
export const plate = nameplate({ name: 'system', label: '系统', menus: {}, screens: [] })
