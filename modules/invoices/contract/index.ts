import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as invoicing from './invoicing.ts'
import * as record from './record.ts'
import * as setting from './setting.ts'
import * as title from './title.ts'

export const contract = declareContract(choices, invoicing, record, setting, title)
