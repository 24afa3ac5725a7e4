import * as choices from './choices.ts'
import { feeFormula } from './formula.ts'
import { feeItem } from './item.ts'
import { feePackage, feeRelation, sharePool } from './relation.ts'
import { feeStandard, standardVersion } from './standard.ts'

export const contract = {
  calls: [],
  entities: [feeItem, feeFormula, feeStandard, standardVersion, feeRelation, feePackage, sharePool],
  choices: Object.values(choices),
}
