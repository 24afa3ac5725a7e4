import { declareContract } from '#kit/contract/module-contract.ts'
import * as carActions from './car-actions.ts'
import * as carGroup from './car-group.ts'
import * as carLabels from './car-labels.ts'
import * as carSheet from './car-sheet.ts'
import * as car from './car.ts'
import * as importExport from './import-export.ts'
import * as labels from './labels.ts'
import * as parkPlace from './park-place.ts'
import * as park from './park.ts'

export const contract = declareContract(
  importExport,
  labels,
  carLabels,
  parkPlace,
  park,
  car,
  carActions,
  carSheet,
  carGroup,
)
