import { menu } from '../module.ts'

/** Apart from the cards themselves: what only asks for a right fetches no more. */
export const cardPermissions = menu.card.permissions
