import { declareContract } from '#kit/contract/module-contract.ts'
import * as department from './department.ts'
import * as fingerprint from './fingerprint.ts'
import * as labels from './labels.ts'
import * as staff from './staff.ts'
import * as tag from './tag.ts'

export const contract = { base: 'oa/v1', ...declareContract(department, fingerprint, labels, staff, tag) }
