import { declareContract } from '#kit/contract/module-contract.ts'
import * as charge from './charge.ts'
import * as choices from './choices.ts'
import * as counter from './counter.ts'
import * as feeRule from './fee-rule.ts'
import * as lane from './park-lane.ts'
import * as passage from './passage.ts'
import * as priceTest from './price-test.ts'
import * as statistics from './statistics.ts'
import * as stay from './stay.ts'

export const contract = declareContract(
  choices,
  feeRule,
  priceTest,
  lane,
  stay,
  passage,
  counter,
  charge,
  statistics,
)
