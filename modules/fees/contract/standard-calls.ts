import { call, everyone } from '#kit/contract/call.ts'
import { choice, flag, idOf, int, list, text } from '#kit/contract/field.ts'
import {
  extendShape,
  bulkResult,
  byId,
  byIdsWithReason,
  draftOf,
  listOf,
  noData,
  recordOf,
  pageOf,
  search,
  shape,
  recordIdField,
  byIdWithReason,
  reasonField,
  recordIdsField,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { scene, sourceType } from './choices.ts'
import { stateChangeResult, stateChangeInput } from './item.ts'
import { menu } from '../module.ts'
import { costFields, feeStandard, priceFields, standardFilters, standardVersion } from './standard.ts'

const standardDraft = draftOf(feeStandard, ['state'])

/** Unpaid bills that were made by a price that no longer holds for their days (FEE-6). */
const outdatedBillFields = { oldBills: int('按旧价格出的未缴账单', { min: 0, wire: 'OldPriceBills' }) }

export const listStandards = call({
  route: 'GET finance/v1/FeeStandard/Get',
  aliases: ['finance/v1/FeeStandard/GetPagedList', 'PropertyFeestandard/Get'],
  title: '查询收费标准',
  needs: everyone,
  input: search(feeStandard, standardFilters, {
    sourceType: choice('用于', sourceType),
    /** Those that say what a month of a car costs: a fixed price of a month card item. */
    isMonthPrice: flag('月租标准', { wire: 'MonthPrice' }),
  }),
  output: pageOf(feeStandard),
})

export const getStandard = call({
  route: 'GET finance/v1/FeeStandard/GetOne',
  title: '查看收费标准',
  needs: menu.standard.permissions.view,
  input: byId,
  output: extendShape(recordOf(feeStandard), outdatedBillFields),
})

/** With its first price. */
export const addStandard = call({
  route: 'POST finance/v1/FeeStandard/Post',
  aliases: ['PropertyFeestandard/post'],
  title: '新增收费标准',
  needs: menu.standard.permissions.add,
  input: extendShape(standardDraft, priceFields),
  output: recordOf(feeStandard),
  affects: ['feeStandard', 'feeStandardVersion', 'feeItem', 'feeFormula'],
})

/** All but the price, which only a new version changes (FEE-6). */
export const editStandard = call({
  route: 'PUT finance/v1/FeeStandard/Put',
  aliases: ['PropertyFeestandard/put'],
  title: '编辑收费标准',
  needs: menu.standard.permissions.edit,
  input: standardDraft,
  output: recordOf(feeStandard),
  affects: ['feeStandard'],
})

export const deleteStandards = call({
  route: 'DELETE finance/v1/FeeStandard/Delete',
  aliases: ['PropertyFeestandard/delete'],
  title: '删除收费标准',
  needs: menu.standard.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['feeStandard', 'feeStandardVersion', 'feeItem', 'feeFormula'],
})

export const setStandardState = call({
  route: 'PUT finance/v1/FeeStandard/PutState',
  title: '启用或停用收费标准',
  needs: menu.standard.permissions.edit,
  input: stateChangeInput,
  output: stateChangeResult,
  affects: ['feeStandard'],
})

/** To other projects, under the same code; a project that already has the code is left as it is. */
export const copyStandards = call({
  route: 'POST finance/v1/FeeStandard/PostCopy',
  title: '复制收费标准到其他项目',
  needs: menu.standard.permissions.copy,
  input: shape({
    ids: recordIdsField,
    projects: list('项目', { required: true, max: 200, dataDomain: 'project', wire: 'ProjectCodes' }),
  }),
  output: bulkResult,
  affects: ['feeStandard', 'feeStandardVersion'],
})

export const listVersions = call({
  route: 'GET finance/v1/FeeStandard/GetVersions',
  title: '查询价格版本',
  needs: menu.standard.permissions.view,
  input: shape({ standardId: idOf('标准', { required: true, min: 1, wire: 'StandardID' }) }),
  output: listOf(standardVersion),
})

/** 调价 (FEE-6): the version before ends the day before; a later one limits this one. */
export const changePrice = call({
  route: 'POST finance/v1/FeeStandard/PostVersion',
  title: '调价',
  needs: menu.standard.permissions.price,
  affects: ['feeStandard', 'feeStandardVersion'],
  input: shape({
    standardId: idOf('标准', { required: true, min: 1, wire: 'StandardID' }),
    ...priceFields,
    effectiveDate: standardVersion.fields.effectiveDate,
    reason: standardVersion.fields.reason,
  }),
  output: extendShape(recordOf(standardVersion), outdatedBillFields),
})

/** Removes a version that no bill has used yet; the one before it applies again. */
export const deleteVersion = call({
  route: 'DELETE finance/v1/FeeStandard/DeleteVersion',
  title: '撤销调价',
  needs: menu.standard.permissions.price,
  input: byIdWithReason,
  output: noData,
  affects: ['feeStandardVersion', 'feeStandard'],
})

/** 更正 (FEE-6): corrects a price while no bill uses it; its effective day stays. */
export const correctVersion = call({
  route: 'PUT finance/v1/FeeStandard/PutVersion',
  title: '更正价格',
  needs: menu.standard.permissions.price,
  affects: ['feeStandard', 'feeStandardVersion'],
  input: shape({
    id: recordIdField,
    version: int('版本号', { required: true, min: 1 }),
    ...costFields,
    extraProrate: priceFields.extraProrate,
    reason: { ...reasonField, label: '更正原因' },
  }),
  output: recordOf(standardVersion),
})

const optionalProject = estateField<false>({ required: false })

/** Enabled standards for a kind of place (FEE-9). */
export const listStandardsByScene = call({
  route: 'GET PropertyFeestandard/GetByScene',
  title: '按场景查询收费标准',
  needs: everyone,
  input: shape({
    projectCode: optionalProject,
    scene: choice('适用场景', scene),
    feeItemId: idOf('收费项目', { min: 1, wire: 'FeeItemID' }),
  }),
  output: listOf(feeStandard),
})

/** What an object is charged by today. */
export const listStandardsOfSource = call({
  route: 'GET PropertyFeestandard/GetBySourceCode',
  title: '对象的收费标准',
  needs: menu.relation.permissions.view,
  input: shape({
    projectCode: optionalProject,
    sourceType: choice('对象类型', sourceType),
    sourceCode: text('对象编码', { required: true, max: 40 }),
  }),
  output: listOf(feeStandard),
})
