import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as entry from './entry.ts'
import * as home from './home.ts'
import * as notice from './notice.ts'
import * as receiver from './receiver.ts'

export const contract = { base: 'oa/v1', ...declareContract(choices, entry, home, notice, receiver) }
