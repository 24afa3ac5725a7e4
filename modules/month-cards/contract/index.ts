import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as monthOrder from './month-order.ts'
import * as renewal from './renewal.ts'

export const contract = declareContract(choices, monthOrder, renewal)
