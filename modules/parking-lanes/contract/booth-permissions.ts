import { menu } from '../module.ts'

const { pass, correct, release } = menu.stay.permissions
const { collect, reprice } = menu.charge.permissions

/** What is done with a car at a lane, for screens of other modules that offer it. */
export const boothPermissions = { pass, correct, release, collect, reprice } as const
