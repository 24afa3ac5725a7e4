import { useState } from 'react'
import { act } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { count } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { listSuggests, propertySuggest, readSuggests, type PropertySuggest } from '../contract/suggest.ts'
import { menu } from '../module.ts'

const state = (s: PropertySuggest): readonly ['done' | 'open' | 'todo', string] =>
  s.reply ? ['done', '已回复'] : s.isRead ? ['open', '已读'] : ['todo', '未读']

const table = columns(propertySuggest, [
  { key: 'content', identity: true, width: 320, grow: 3 },
  { key: 'userName', width: 96 },
  'userKind',
  { key: 'projectName', drop: 1 },
  { key: 'mobile', width: 128, drop: 2 },
  { key: 'createTime', title: '提交时间' },
  { key: 'reply', grow: 2, drop: 3 },
  {
    key: 'isRead',
    title: '状态',
    width: 96,
    render: s => <Status tone={state(s)[0]}>{state(s)[1]}</Status>,
    text: s => state(s)[1],
  },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'unread', name: '未读', filter: { isRead: false } },
  { id: 'open', name: '待回复', filter: { replied: false } },
  { id: 'replied', name: '已回复', filter: { replied: true } },
]

const groups = [
  {
    keys: [
      'userName',
      'userKind',
      'projectName',
      'mobile',
      'createTime',
      { key: 'content', wide: true },
      { key: 'photos', wide: true },
    ],
  },
  { title: '回复', keys: [{ key: 'reply', wide: true }, 'replyName', 'replyTime'] },
] as never

/** What residents and staff think could be better, and what they were answered. */
export default function Suggests() {
  const [answering, setAnswering] = useState<PropertySuggest>()
  const may = menu.suggest.may.edit
  const mark = async (ids: readonly string[], isRead: boolean): Promise<boolean> => {
    await act(readSuggests, { ids, isRead } as never)
    toast.success(`已标记 ${count(ids.length)} 条为${isRead ? '已读' : '未读'}`)
    return true
  }
  const verbs = (s: PropertySuggest) => [
    { label: s.reply ? '修改回复' : '回复', may, run: () => setAnswering(s) },
    { label: s.isRead ? '标为未读' : '标为已读', may, run: () => mark([String(s.id)], !s.isRead) },
  ]
  return (
    <>
      <ListPage
        list={listSuggests}
        what="意见反馈"
        columns={table}
        views={views}
        filters={['userKind', 'isRead', 'replied', 'createTime']}
        bar={['userKind']}
        row={verbs}
        dim={s => s.reply !== undefined}
        batch={[{ label: '标为已读', may, run: t => mark(t.ids, true) }]}
        drawer={{
          title: s => `${s.userName}的反馈`,
          status: s => <Status tone={state(s)[0]}>{state(s)[1]}</Status>,
          groups,
          history: propertySuggest.name,
          verbs,
        }}
      />
      {answering && (
        <EditDialog
          of={readSuggests.input}
          title={`回复「${answering.userName}」`}
          words="回复"
          groups={[{ keys: [{ key: 'reply', wide: true, help: '回复会作为消息发给反馈人' }] }]}
          initial={
            { ids: [String(answering.id)], ...(answering.reply ? { reply: answering.reply } : {}) } as never
          }
          rules={v => (v.reply?.trim() ? undefined : { reply: '请填写回复' })}
          save={v =>
            act(readSuggests, { reply: v.reply, ids: [String(answering.id)], isRead: true } as never, {
              quiet: true,
            })
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
