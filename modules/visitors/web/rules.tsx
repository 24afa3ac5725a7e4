import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { inviteRules } from '../contract/rule.ts'

const { model } = crudPages(inviteRules, {
  unit: '个邀请规则',
  deletion: { consequences: ['有邀访的规则不能删除；不再使用请停用'], reasons: ['录入有误', '不再使用'] },
  columns: [
    { key: 'ruleName', identity: true, grow: 2 },
    { key: 'hostTypes', grow: 1 },
    { key: 'visitorKinds', grow: 1, hidePriority: 2 },
    { key: 'advanceDays', hidePriority: 1 },
    { key: 'maxHours', hidePriority: 1 },
    { key: 'maxTimes', hidePriority: 1 },
    { key: 'maxPersons', hidePriority: 2 },
    { key: 'needsCert', hidePriority: 3, wideOnly: true },
    { key: 'allowsCar', hidePriority: 3, wideOnly: true },
    'checkType',
    'state',
  ],
  form: {
    presentation: 'drawer',
    groups: [
      { keys: ['ruleName', 'state'] },
      {
        title: '适用',
        keys: [
          'hostTypes',
          {
            key: 'relations',
            isHidden: ({ hostTypes }: { hostTypes?: readonly string[] }) => !hostTypes?.includes('resident'),
          },
          'visitorKinds',
          { key: 'buildCodes', wide: true },
        ],
      },
      { title: '限制', keys: ['advanceDays', 'maxHours', 'maxTimes', 'maxPersons', 'allowsCar'] },
      {
        title: '核验',
        keys: ['checkType', 'needsCert', 'needsFace', { key: 'doorwayGroupIds', wide: true }],
      },
      { title: '自定义问题', keys: [{ key: 'questions', wide: true }] },
    ],
  },
  drawer: { width: 640 },
})

/** 邀请规则: who may invite whom, and whose consent it needs (VIS-1). */
export const Rules = () => (
  <CrudList model={model} list={{ embedded: true, pageSize: 15, barFilters: ['checkType', 'state'] }} />
)
