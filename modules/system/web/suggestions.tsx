import { useState } from 'react'
import { sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import {
  listSuggestions,
  propertySuggest,
  handleSuggestions,
  type PropertySuggest,
} from '../contract/suggestion.ts'
import { menu } from '../module.ts'

const getSuggestionStatus = (s: PropertySuggest): readonly ['done' | 'open' | 'todo', string] =>
  s.reply ? ['done', '已回复'] : s.isRead ? ['open', '已读'] : ['todo', '未读']

const listColumns = buildColumns(propertySuggest, [
  { key: 'content', identity: true, width: 320, grow: 3 },
  { key: 'userName', width: 96 },
  'userKind',
  { key: 'projectName', hidePriority: 1 },
  { key: 'mobile', width: 128, hidePriority: 2 },
  { key: 'createTime', title: '提交时间' },
  { key: 'reply', grow: 2, hidePriority: 3 },
  {
    key: 'isRead',
    title: '状态',
    width: 96,
    render: s => <Status tone={getSuggestionStatus(s)[0]}>{getSuggestionStatus(s)[1]}</Status>,
    text: s => getSuggestionStatus(s)[1],
  },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'unread', name: '未读', filter: { isRead: false } },
  { id: 'open', name: '待回复', filter: { replied: false } },
  { id: 'replied', name: '已回复', filter: { replied: true } },
]

const groups: readonly DetailGroup<PropertySuggest>[] = [
  {
    keys: [
      'userName',
      'userKind',
      'projectName',
      'mobile',
      'createTime',
      'content',
      { key: 'photos', wide: true },
    ],
  },
  { title: '回复', keys: ['reply', 'replyName', 'replyTime'] },
]

/** What residents and staff think could be better, and what they were answered. */
export default function Suggestions() {
  const [answering, setAnswering] = useState<PropertySuggest>()
  const editPermission = menu.suggest.permissions.edit
  const mark = async (ids: readonly string[], isRead: boolean): Promise<boolean> => {
    await sendAndToast(
      handleSuggestions,
      { ids, isRead },
      `已标记 ${formatCount(ids.length)} 条为${isRead ? '已读' : '未读'}`,
    )
    return true
  }
  const getActions = (suggestion: PropertySuggest) => [
    {
      label: suggestion.reply ? '修改回复' : '回复',
      needs: editPermission,
      run: () => setAnswering(suggestion),
    },
    {
      label: suggestion.isRead ? '标为未读' : '标为已读',
      needs: editPermission,
      run: () => mark([String(suggestion.id)], !suggestion.isRead),
    },
  ]
  return (
    <>
      <ListPage
        list={listSuggestions}
        itemName="意见反馈"
        columns={listColumns}
        views={views}
        filters={['userKind', 'isRead', 'replied', 'createTime']}
        barFilters={['userKind']}
        rowActions={getActions}
        isDimmed={s => s.reply !== undefined}
        batchActions={[{ label: '标为已读', needs: editPermission, run: t => mark(t.ids, true) }]}
        drawer={{
          title: s => `${s.userName}的反馈`,
          status: s => <Status tone={getSuggestionStatus(s)[0]}>{getSuggestionStatus(s)[1]}</Status>,
          groups,
          historyEntity: propertySuggest.name,
          actions: getActions,
        }}
      />
      {answering && (
        <EditDialog
          shape={handleSuggestions.input}
          draftKey={draftKeyOf(handleSuggestions, answering.id)}
          title={`回复「${answering.userName}」`}
          submitLabel="回复"
          groups={[{ keys: [{ key: 'reply', help: '回复会作为消息发给反馈人' }] }]}
          initial={{ ids: [String(answering.id)], ...(answering.reply ? { reply: answering.reply } : {}) }}
          rules={v => (v.reply?.trim() ? undefined : { reply: '请填写回复' })}
          save={values =>
            sendAndInvalidate(
              handleSuggestions,
              { reply: values.reply, ids: [String(answering.id)], isRead: true },
              {
                quiet: true,
              },
            )
          }
          onClose={() => setAnswering(undefined)}
          onDone={() => {
            setAnswering(undefined)
            toast.success('已回复')
          }}
        />
      )}
    </>
  )
}
