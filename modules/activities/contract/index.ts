import { declareContract } from '#kit/contract/module-contract.ts'
import * as activity from './activity.ts'
import * as choices from './choices.ts'
import * as home from './home.ts'
import * as sign from './sign.ts'

export const contract = declareContract(choices, activity, sign, home)
