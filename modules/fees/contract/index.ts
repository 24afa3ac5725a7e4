import * as bind from './bind.ts'
import * as choices from './choices.ts'
import * as formula from './formula.ts'
import * as item from './item.ts'
import * as pack from './package.ts'
import { feePackage, feeRelation, sharePool } from './relation.ts'
import * as standard from './standard.ts'
import * as transfer from './transfer.ts'
import * as trial from './trial.ts'

export const contract = {
  calls: [
    item.listItems, item.oneItem, item.addItem, item.editItem, item.deleteItems, item.itemsByScene, item.turnItems,
    formula.listFormulas, formula.oneFormula, formula.addFormula, formula.editFormula, formula.deleteFormulas, formula.turnFormulas, formula.formulaTypes,
    standard.listStandards, standard.oneStandard, standard.addStandard, standard.editStandard, standard.deleteStandards, standard.turnStandards, standard.copyStandards,
    standard.listVersions, standard.changePrice, standard.correctVersion, standard.deleteVersion, standard.standardsByScene, standard.standardsOfSource,
    bind.listRelations, bind.roomRelations, bind.placeRelations, bind.areaRelations, bind.carRelations, bind.oneRelation, bind.relationsOfSource, bind.relationsOfUser, bind.relationsOfCompany,
    bind.addRelation, bind.editRelation, bind.deleteRelations, bind.stopRelations, bind.resumeRelations, bind.endRelations, bind.batchBind, bind.batchBindPro, bind.previewBind,
    ...transfer.importRelations.calls, ...transfer.exportRelations.calls,
    pack.listPackages, pack.onePackage, pack.addPackage, pack.editPackage, pack.deletePackages,
    trial.standardParameters, trial.testParameters, trial.testStandard, trial.standardFee,
  ],
  entities: [item.feeItem, formula.feeFormula, standard.feeStandard, standard.standardVersion, feeRelation, feePackage, sharePool],
  choices: [...Object.values(choices), bind.resumeHow, bind.bindMode, bind.bindOutcome],
}
