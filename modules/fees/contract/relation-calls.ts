import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, day, flag, idOf, text } from '#kit/contract/field.ts'
import {
  bulkResult,
  byId,
  byIdsWithReason,
  draftOf,
  listOf,
  recordOf,
  pageOf,
  search,
  shape,
  reasonField,
  recordIdsField,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { sourceType } from './choices.ts'
import { feeRelation, relationFilters } from './relation.ts'

export const relationFields = feeRelation.fields

export const permissions = menu.relation.permissions

export const invalidatedEntities = ['feeRelation', 'feeStandard'] as const

const sourceFilters = {
  sourceCode: text('对象编码', { max: 40, wire: ['SourceCode', 'RoomCode', 'PlaceCode', 'AreaCode'] }),
  hasPriceOverride: flag('只看单价覆盖', { wire: 'Priced' }),
  onlyCurrent: flag('仅在收', { wire: 'Live' }),
}

const relationSearch = search(feeRelation, relationFilters, sourceFilters)

export const listRelations = call({
  route: 'GET PropertyFeeitemRelation/GetFeeRelation',
  title: '查询收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const listRoomRelations = call({
  route: 'GET PropertyFeeitemRelation/GetRoomRelation',
  title: '房间的收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const listPlaceRelations = call({
  route: 'GET PropertyFeeitemRelation/GetParkPlaceRelation',
  title: '车位的收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const listAreaRelations = call({
  route: 'GET PropertyFeeitemRelation/GetPublicAreaRelation',
  title: '公共区域的收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const listCarRelations = call({
  route: 'GET PropertyFeeitemRelation/GetCarRelation',
  title: '车辆的收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const getRelation = call({
  route: 'GET PropertyFeeitemRelation/GetOne',
  title: '查看收费关联',
  needs: permissions.view,
  input: byId,
  output: recordOf(feeRelation),
})

const optionalProject = estateField<false>({ required: false })

/** All of one object, past ones too. */
export const listRelationsOfSource = call({
  route: 'GET PropertyFeeitemRelation/GetFeeRelationBySourceCode',
  title: '对象的收费关联',
  needs: permissions.view,
  input: shape({
    projectCode: optionalProject,
    sourceType: choice('对象类型', sourceType),
    sourceCode: text('对象编码', { required: true, max: 40 }),
  }),
  output: listOf(feeRelation),
})

/**
 * What a resident pays: the relations of the resident's rooms, and those that name the resident as the payer.
 */
export const listRelationsOfUser = call({
  route: 'GET PropertyFeeitemRelation/GetFeeRelationByUserId',
  title: '住户的收费关联',
  needs: permissions.view,
  input: shape({ userId: idOf('住户', { required: true, min: 1, wire: ['UserId', 'UserID'] }) }),
  output: listOf(feeRelation),
})

/** What a company pays: its own, its rooms' and what names it as the payer. */
export const listRelationsOfCompany = call({
  route: 'GET Company/GetFeeStandardList',
  title: '企业的收费关联',
  needs: permissions.view,
  input: shape({ companyId: idOf('企业', { required: true, min: 1, wire: ['CompanyID', 'ID'] }) }),
  output: listOf(feeRelation),
})

const serverSetFields = [
  'sourceName',
  'buildCode',
  'feeItemId',
  'billedTo',
  'multi',
  'state',
  'stopReason',
] as const

export const addRelation = call({
  route: 'POST PropertyFeeitemRelation/Post',
  title: '新增收费关联',
  needs: permissions.add,
  input: draftOf(feeRelation, serverSetFields),
  output: recordOf(feeRelation),
  affects: invalidatedEntities,
})

/** The object stays; the standard may change for another one of its item. */
export const editRelation = call({
  route: 'PUT PropertyFeeitemRelation/Put',
  title: '编辑收费关联',
  needs: permissions.edit,
  input: draftOf(feeRelation, serverSetFields),
  output: recordOf(feeRelation),
  affects: invalidatedEntities,
})

/** Relations with bills stay, and are listed with the reason: they can only be ended. */
export const deleteRelations = call({
  route: 'DELETE PropertyFeeitemRelation/Delete',
  aliases: ['POST PropertyFeeitemRelation/PostBatchDelete'],
  title: '删除收费关联',
  needs: permissions.del,
  input: byIdsWithReason,
  output: bulkResult,
  affects: invalidatedEntities,
})

export const stopRelations = call({
  route: 'POST PropertyFeeitemRelation/PostStop',
  title: '停收',
  needs: permissions.stop,
  input: byIdsWithReason,
  output: bulkResult,
  affects: invalidatedEntities,
})

/** CYC-8 */
export const resumeMode = choiceTable('ResumeHow', '恢复方式', {
  backwards: [1, '补收停收期'],
  onwards: [2, '从恢复日起收'],
})

export const resumeRelations = call({
  route: 'POST PropertyFeeitemRelation/PostResume',
  title: '恢复收费',
  needs: permissions.stop,
  input: shape({
    ids: recordIdsField,
    resumeMode: choice('恢复方式', resumeMode, { required: true, wire: 'How' }),
    day: day('恢复日', { help: '从恢复日起收时填写，不填为今天' }),
  }),
  output: bulkResult,
  affects: invalidatedEntities,
})

/** The last day is still charged (CYC-3); bills beyond it are settled by their own module (CYC-9). */
export const endRelations = call({
  route: 'POST PropertyFeeitemRelation/PostEnd',
  title: '结束收费',
  needs: permissions.stop,
  input: shape({
    ids: recordIdsField,
    endDate: day('止收日期', { required: true }),
    reason: reasonField,
  }),
  output: bulkResult,
  affects: invalidatedEntities,
})
