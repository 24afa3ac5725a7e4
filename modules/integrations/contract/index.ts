import { declareContract } from '#kit/contract/module-contract.ts'
import * as apiKey from './api-key.ts'

export const contract = declareContract(apiKey)
