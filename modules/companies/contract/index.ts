import { declareContract } from '#kit/contract/module-contract.ts'
import * as companyWorker from './company-worker.ts'
import * as company from './company.ts'
import * as importExport from './import-export.ts'
import * as join from './join.ts'

export const contract = declareContract(companyWorker, company, importExport, join)
