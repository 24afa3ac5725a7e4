import { declareContract } from '#kit/contract/module-contract.ts'
import * as block from './block.ts'
import * as card from './card.ts'
import * as cardImport from './card-import.ts'
import * as fingerprint from './fingerprint.ts'
import * as importExport from './import-export.ts'
import * as labels from './labels.ts'
import * as maintenance from './maintenance.ts'
import * as move from './move.ts'
import * as residency from './residency.ts'
import * as resident from './resident.ts'
import * as wechat from './wechat.ts'

export const contract = declareContract(
  block,
  card,
  cardImport,
  fingerprint,
  importExport,
  labels,
  maintenance,
  move,
  residency,
  resident,
  wechat,
)
