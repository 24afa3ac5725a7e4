import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as folder from './folder.ts'
import * as node from './node.ts'
import * as transfer from './transfer.ts'

export const contract = declareContract(choices, folder, node, transfer)
