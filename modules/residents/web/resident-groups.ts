import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Resident } from '../contract/resident.ts'

export const formGroups: readonly FormFieldGroup[] = [
  {
    title: '基本资料',
    keys: ['name', 'mobile', 'userType', 'gender', 'certType', 'certNo', 'birthday', 'phone2'],
  },
  {
    title: '更多资料',
    keys: [
      'nation',
      'education',
      'workUnit',
      'email',
      'address',
      'emergencyName',
      'emergencyPhone',
      'tags',
      'photo',
      'remark',
    ],
  },
]

export const detailGroups: readonly DetailGroup<Resident>[] = [
  {
    title: '基本资料',
    keys: [
      'name',
      'mobile',
      'phone2',
      'userType',
      'gender',
      'certType',
      'certNo',
      'birthday',
      'tags',
      'state',
    ],
  },
  {
    title: '更多资料',
    keys: [
      'photo',
      'nation',
      'education',
      'workUnit',
      'email',
      'address',
      'emergencyName',
      'emergencyPhone',
      'remark',
    ],
  },
  { title: '来源', keys: ['estateName', 'source', 'wechatBind', 'appBind', 'createTime', 'updateTime'] },
]
