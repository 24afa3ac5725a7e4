import * as choices from './choices.ts'
import * as formula from './formula.ts'
import * as item from './item.ts'
import { feePackage, feeRelation, sharePool } from './relation.ts'
import * as standard from './standard.ts'
import * as trial from './trial.ts'

export const contract = {
  calls: [
    item.listItems, item.oneItem, item.addItem, item.editItem, item.deleteItems, item.itemsByScene, item.turnItems,
    formula.listFormulas, formula.oneFormula, formula.addFormula, formula.editFormula, formula.deleteFormulas, formula.turnFormulas, formula.formulaTypes,
    standard.listStandards, standard.oneStandard, standard.addStandard, standard.editStandard, standard.deleteStandards, standard.turnStandards, standard.copyStandards,
    standard.listVersions, standard.changePrice, standard.deleteVersion, standard.standardsByScene, standard.standardsOfSource,
    trial.standardParameters, trial.testParameters, trial.testStandard, trial.standardFee,
  ],
  entities: [item.feeItem, formula.feeFormula, standard.feeStandard, standard.standardVersion, feeRelation, feePackage, sharePool],
  choices: Object.values(choices),
}
