import { menu } from '../module.ts'

/** For modules that link to cars. */
export const carPermissions = menu.car.permissions
