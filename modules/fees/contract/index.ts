import * as binding from './binding-calls.ts'
import * as choices from './choices.ts'
import * as formula from './formula.ts'
import * as item from './item.ts'
import * as pack from './package.ts'
import { feePackage, feeRelation } from './relation.ts'
import * as relation from './relation-calls.ts'
import { feeStandard, standardVersion } from './standard.ts'
import * as standard from './standard-calls.ts'
import * as transfer from './transfer.ts'
import * as trial from './trial.ts'

export const contract = {
  base: 'finance/v1',
  calls: [
    item.listItems,
    item.getItem,
    item.addItem,
    item.editItem,
    item.deleteItems,
    item.listItemsByScene,
    item.setItemState,
    formula.listFormulas,
    formula.getFormula,
    formula.addFormula,
    formula.editFormula,
    formula.deleteFormulas,
    formula.setFormulaState,
    formula.listFormulaTypes,
    standard.listStandards,
    standard.getStandard,
    standard.addStandard,
    standard.editStandard,
    standard.deleteStandards,
    standard.setStandardState,
    standard.copyStandards,
    standard.listVersions,
    standard.changePrice,
    standard.correctVersion,
    standard.deleteVersion,
    standard.listStandardsByScene,
    standard.listStandardsOfSource,
    relation.listRelations,
    relation.listRoomRelations,
    relation.listPlaceRelations,
    relation.listAreaRelations,
    relation.listCarRelations,
    relation.getRelation,
    relation.listRelationsOfSource,
    relation.listRelationsOfUser,
    relation.listRelationsOfCompany,
    relation.addRelation,
    relation.editRelation,
    relation.deleteRelations,
    relation.stopRelations,
    relation.resumeRelations,
    relation.endRelations,
    binding.batchBind,
    binding.batchBindByFilter,
    binding.previewBind,
    ...transfer.importRelations.calls,
    ...transfer.exportRelations.calls,
    pack.listPackages,
    pack.getPackage,
    pack.addPackage,
    pack.editPackage,
    pack.deletePackages,
    trial.listStandardParameters,
    trial.listTestParameters,
    trial.testStandard,
    trial.calculateStandardFee,
  ],
  entities: [item.feeItem, formula.feeFormula, feeStandard, standardVersion, feeRelation, feePackage],
  choices: [...Object.values(choices), relation.resumeMode, binding.bindMode, binding.bindOutcome],
}
