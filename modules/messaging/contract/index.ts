import { declareContract } from '#kit/contract/module-contract.ts'
import * as audience from './audience.ts'
import * as choices from './choices.ts'
import * as smsChoices from './sms-choices.ts'

export const contract = declareContract(audience, choices, smsChoices)
