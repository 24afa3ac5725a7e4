import { call, everyone } from '#kit/contract/call.ts'
import { choice, idOf, int, lines, list, part, text, type ValueOf } from '#kit/contract/field.ts'
import { byId, recordOf, listOfRows, shape, reasonField, recordIdField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { panelSectionFields } from '#modules/rooms/contract/room-board.ts'
import { menu } from '../module.ts'
import { resident } from './resident.ts'
import { gender, hiddenMobileField, mobileField } from './labels.ts'
import { relation } from './relation.ts'

/** BASE-14: another mobile ends what is open under the old one. */
export const changeResidentMobile = call({
  route: 'PUT User/PutMobile',
  title: '变更手机号',
  needs: menu.resident.permissions.mobile,
  affects: ['resident'],
  input: shape({
    id: recordIdField,
    version: int('版本'),
    mobile: mobileField('新手机号', { required: true }),
    reason: text('原因', { max: 200 }),
  }),
  output: recordOf(resident),
})

const duplicateGroupFields = {
  reason: text('相同之处', { required: true, wire: 'Reason' }),
  people: lines('住户', () => resident.fields, { required: true, wire: 'Users' }),
}

/** People who are probably one: the same name and the same room, birthday or telephone (BASE-13). */
export const findDuplicateResidents = call({
  route: 'GET User/GetDuplicates',
  title: '查找重复住户',
  needs: menu.resident.permissions.merge,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    keyword: text('关键字', { max: 40, wire: 'KeyWord' }),
  }),
  output: listOfRows(duplicateGroupFields, { entity: 'resident' }),
})

/**
 * Everything of the others goes over to the one that stays: homes, cards, faces, blocks, and what other
 * modules keep of them.
 */
export const mergeResidents = call({
  route: 'POST User/PostMerge',
  title: '合并住户',
  needs: menu.resident.permissions.merge,
  affects: ['resident', 'residency', 'room'],
  input: shape({
    id: idOf('保留的住户', { required: true, min: 1, wire: 'ID' }),
    others: list('并入的住户', { required: true, max: 20, wire: 'MergeIds' }),
    reason: reasonField,
  }),
  output: recordOf(resident),
})

/** One person, everything: each module gives its section; those the caller may not see are left out. */
export const getResidentPanel = call({
  route: 'GET User/GetPanel',
  title: '一人一档',
  needs: menu.resident.permissions.view,
  input: byId,
  output: shape(
    {
      resident: part('住户', () => resident.fields, { required: true, wire: 'User' }),
      sections: lines('各段', panelSectionFields, { required: true }),
    },
    { entity: 'resident' },
  ),
})

const count = int('人数', { required: true, wire: 'Count' })

/** Of the people who live in rooms of a project, or of all in the caller's data domain. */
export const getResidentStatistics = call({
  route: 'GET User/GetStatistics',
  title: '住户统计',
  needs: menu.resident.permissions.view,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    buildCode: text('楼栋编码', { max: 20, wire: 'Buildcode' }),
  }),
  output: shape(
    {
      people: int('在住', { required: true, wire: 'UserCount' }),
      rooms: int('入住房间', { required: true, wire: 'RoomCount' }),
      pending: int('待审核', { required: true, wire: 'PendingCount' }),
      owners: int('业主', { required: true, wire: 'OwnerCount' }),
      tenants: int('租户', { required: true, wire: 'TenantCount' }),
      wechat: int('微信绑定', { required: true, wire: 'WechatCount' }),
      app: int('App绑定', { required: true, wire: 'AppCount' }),
      blocked: int('黑名单', { required: true, wire: 'BlockCount' }),
      withMobile: int('有手机号', { required: true, wire: 'MobileCount' }),
      withFace: int('有人脸', { required: true, wire: 'FaceCount' }),
      byGender: lines(
        '性别',
        { gender: choice('性别', gender, { required: true }), count },
        { required: true, wire: 'Genders' },
      ),
      byRelation: lines(
        '关系',
        { relation: choice('关系', relation, { required: true }), count },
        { required: true, wire: 'Relations' },
      ),
      byAge: lines(
        '年龄',
        { label: text('年龄段', { required: true }), count },
        { required: true, wire: 'Ages' },
      ),
      /** How many rooms have so many people; the last row is five and more. */
      bySize: lines(
        '家庭人口',
        { size: int('人口', { required: true }), rooms: int('户数', { required: true }) },
        { required: true, wire: 'Sizes' },
      ),
    },
    { entity: 'resident' },
  ),
})

export type ResidentStatistics = NonNullable<(typeof getResidentStatistics)['output']['T']>
export type DuplicateGroup = ValueOf<typeof duplicateGroupFields>

/**
 * Names and homes alone, for pickers: the best 50 that the word finds (BILL-11), or those of given ids. The
 * middle of a telephone is hidden from everybody.
 */
export const searchResidentOptions = call({
  route: 'GET User/GetPick',
  title: '选择住户',
  needs: everyone,
  input: shape({
    keyword: text('关键字', { max: 40, wire: 'KeyWord' }),
    projectCode: estateField<false>({ required: false }),
    size: int('条数', { min: 1, max: 200, wire: 'PageSize' }),
    userIds: list('住户编号', { max: 200, wire: 'UserIDs' }),
  }),
  output: listOfRows(
    {
      id: resident.fields.id,
      name: resident.fields.name,
      mobile: hiddenMobileField,
      state: resident.fields.state,
      homes: resident.fields.homes,
      homeProject: resident.fields.homeProject,
      estateName: resident.fields.estateName,
    },
    { entity: 'resident' },
  ),
})
