import { declareContract } from '#kit/contract/module-contract.ts'
import * as check from './check.ts'
import * as choices from './choices.ts'
import * as finding from './finding.ts'
import * as inspection from './inspection.ts'
import * as standard from './standard.ts'

export const contract = declareContract(choices, standard, inspection, finding, check)
