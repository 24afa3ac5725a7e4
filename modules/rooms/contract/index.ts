import { declareContract } from '#kit/contract/module-contract.ts'
import * as effectiveDate from './effective-date.ts'
import * as importExport from './import-export.ts'
import * as labels from './labels.ts'
import * as roomBatch from './room-batch.ts'
import * as roomBoard from './room-board.ts'
import * as roomChange from './room-change.ts'
import * as room from './room.ts'

export const contract = declareContract(
  effectiveDate,
  importExport,
  labels,
  roomBatch,
  roomBoard,
  roomChange,
  room,
)
