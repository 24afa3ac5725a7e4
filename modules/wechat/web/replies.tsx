import { labelOf } from '#kit/contract/field.ts'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { matchType } from '../contract/choices.ts'
import { wechatReplies, type WechatReply } from '../contract/reply.ts'
import { AccountPage } from './account-page.tsx'
import { phoneAction } from './account-actions.tsx'

type Draft = Partial<WechatReply>

const isKeyword = ({ event }: Draft): boolean => (event ?? 'keyword') === 'keyword'
const isText = ({ replyType }: Draft): boolean => (replyType ?? 'text') === 'text'

/** Only keywords are matched. */
const matchText = (row: WechatReply): string =>
  isKeyword(row) && row.matchType ? labelOf(matchType, row.matchType) : '--'

const { model } = crudPages(wechatReplies, {
  unit: '条自动回复',
  deletion: { reasons: ['不再使用', '录入有误'] },
  columns: [
    { key: 'ruleName', identity: true, width: 140, grow: 1 },
    { key: 'event', width: 96 },
    { key: 'keywords', width: 150, grow: 1 },
    { key: 'matchType', width: 88, hidePriority: 1, text: matchText, render: matchText },
    { key: 'replyType', width: 80 },
    {
      key: 'replyContent',
      width: 200,
      grow: 3,
      hidePriority: 2,
      text: row => row.replyContent ?? row.materialTitle ?? '',
      render: row => row.replyContent ?? row.materialTitle ?? '',
    },
    { key: 'sort', width: 72 },
    'state',
  ],
  detail: [
    {
      keys: [
        'event',
        'keywords',
        { key: 'matchType', render: matchText },
        'sort',
        'replyType',
        'materialTitle',
        { key: 'replyContent', wide: true },
      ],
    },
  ],
  form: {
    presentation: 'drawer',
    groups: [
      {
        keys: [
          'ruleName',
          'event',
          { key: 'keywords', wide: true, isHidden: values => !isKeyword(values), isRequired: true },
          { key: 'matchType', isHidden: values => !isKeyword(values) },
          { key: 'sort', isHidden: values => !isKeyword(values) },
          { key: 'replyType', wide: true },
          { key: 'replyContent', wide: true, isHidden: values => !isText(values), isRequired: true },
          { key: 'materialId', wide: true, isHidden: isText, isRequired: true },
          'state',
        ],
      },
    ],
  },
})

/** 自动回复: what the account answers, and to what. */
export default function RepliesPage() {
  return (
    <AccountPage title="自动回复">
      {account => (
        <CrudList
          model={model}
          initial={{ accountId: account.id }}
          list={{
            fixedFilter: { accountId: [String(account.id)] },
            filters: ['event', 'replyType', 'state'],
            barFilters: ['event', 'state'],
            keywordPlaceholder: '规则名称、回复内容',
            settingsKey: 'wechat/replies',
            toolbarActions: [phoneAction(account)],
          }}
        />
      )}
    </AccountPage>
  )
}
