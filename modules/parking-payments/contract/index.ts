import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as lanePass from './lane-pass.ts'
import * as payer from './payer.ts'
import * as payCode from './pay-code.ts'

export const contract = declareContract(choices, payer, lanePass, payCode)
