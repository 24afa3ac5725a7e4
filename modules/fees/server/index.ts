import './builtin.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { formulaHandlers } from './formula.ts'
import { itemHandlers } from './item.ts'
import { priceHandlers } from './price.ts'
import { standardHandlers } from './standard.ts'
import { trialHandlers } from './trial.ts'

export const server: ServerModule = { handlers: [...itemHandlers, ...formulaHandlers, ...standardHandlers, ...priceHandlers, ...trialHandlers] }
