import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as exception from './exception.ts'
import * as hub from './hub.ts'
import * as order from './order.ts'
import * as payer from './payer.ts'
import * as standard from './standard.ts'

export const contract = declareContract(choices, standard, hub, order, exception, payer)
