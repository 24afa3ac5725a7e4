import { declareContract } from '#kit/contract/module-contract.ts'
import * as bills from './bills.ts'

export const contract = declareContract(bills)
