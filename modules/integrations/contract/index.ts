import { declareContract } from '#kit/contract/module-contract.ts'
import * as apiKey from './api-key.ts'
import * as webhook from './webhook.ts'

export const contract = declareContract(apiKey, webhook)
