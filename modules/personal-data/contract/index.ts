import { declareContract } from '#kit/contract/module-contract.ts'
import * as erasure from './erasure.ts'
import * as person from './person.ts'
import * as retention from './retention.ts'

export const contract = declareContract(erasure, person, retention)
