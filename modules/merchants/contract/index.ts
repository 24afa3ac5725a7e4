import { declareContract } from '#kit/contract/module-contract.ts'
import * as merchant from './merchant.ts'

export const contract = { base: 'merchant/v1', ...declareContract(merchant) }
