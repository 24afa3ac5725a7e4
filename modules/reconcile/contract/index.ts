import { declareContract } from '#kit/contract/module-contract.ts'
import * as channelBill from './channel-bill.ts'
import * as choices from './choices.ts'

export const contract = declareContract(channelBill, choices)
