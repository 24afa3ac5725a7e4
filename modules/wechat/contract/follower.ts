import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { flag, idOf, keyRef, lookup, moment, text } from '#kit/contract/field.ts'
import { menu } from '../module.ts'
import { accountField } from './estate-binding.ts'

/** Somebody who follows an account, or did. Whose WeChat it is, the residents' binding says. */
export const wechatFollower = entity(
  'wechatFollower',
  '关注者',
  { table: 'wechat_follower', tenancy: 'company', title: 'openId', order: ['-followTime', '-id'] },
  {
    accountId: { ...accountField, hiddenIn: ['table', 'sheet', 'detail', 'form'] as const },
    openId: text('微信标识', { required: true, max: 64, searchable: true, wire: 'OpenId' }),
    isFollowing: flag('已关注', { required: true, initial: true }),
    followTime: moment('关注时间', { required: true }),
    leaveTime: moment('取消关注时间', { hiddenIn: ['filter'] }),
    estateCode: keyRef('来源项目', 'estate', {
      dataDomain: 'project',
      wire: 'EstateCode',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    estateName: lookup('来源项目', 'estateCode', 'name', { wire: 'EstateName' }),
    residentName: text('绑定住户', { derived: true, hiddenIn: ['filter'], wire: 'UserName' }),
  },
)

export type WechatFollower = Row<typeof wechatFollower>

/** What a form that chooses a follower asks by. */
const pickedBy = { ids: idsFilter, ofAccount: idOf('公众号', { min: 1 }) }

const { view } = menu.mass.permissions

export const wechatFollowers = crud(wechatFollower, {
  path: 'ThePublicManagement/Follower',
  permissions: { view, add: view, edit: view, del: view },
  operations: ['list'],
  filters: ['accountId', 'isFollowing', 'estateCode', 'followTime'],
  search: pickedBy,
})

export const pickFollowers = pickerOf(wechatFollower, {
  route: 'GET ThePublicManagement/Follower/GetPick',
  title: '选择关注者',
  needs: view,
  fields: ['id', 'accountId', 'openId', 'isFollowing'],
  search: pickedBy,
})
