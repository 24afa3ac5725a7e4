import { useMemo } from 'react'
import { act, bulkWords, tellDone, withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { danger } from '#kit/web/confirm.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { KeptImages } from '#kit/web/kept-images.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { toast } from '#kit/web/toast.ts'
import type { Verb, Verbs } from '#kit/web/verb.tsx'
import {
  changeCards,
  deleteCards,
  deleteFaces,
  faceKey,
  identityCard,
  listCards,
  listFaces,
  saveCard,
  saveFace,
  type FaceKey,
  type IdentityCard,
} from '../contract/card.ts'
import { menu } from '../module.ts'
import { HomeSelect } from './home-select.tsx'

interface Holding {
  readonly userId?: number
  readonly staffId?: number
}

interface Of {
  readonly userId?: number | undefined
}

const shownCards = columns(listCards.output, [
  { key: 'cardNo', identity: true },
  'cardType',
  {
    key: 'userName',
    render: c => (c.staffName ? `${c.staffName}（员工）` : c.userName),
    text: c => (c.staffName ? `${c.staffName}（员工）` : (c.userName ?? '')),
  },
  { key: 'roomPath', width: 116 },
  { key: 'beginDate', drop: 1 },
  { key: 'endDate', render: c => c.endDate ?? '长期', text: c => c.endDate ?? '长期' },
  { key: 'deposit', drop: 2 },
  'state',
  { key: 'createTime', title: '发卡时间', aside: true },
])

const cardViews = [
  { id: '', name: '全部', filter: {} },
  { id: 'normal', name: '正常', filter: { state: ['normal'] } },
  { id: 'lost', name: '挂失', filter: { state: ['lost'] } },
  { id: 'expired', name: '过期', filter: { state: ['expired'] } },
  { id: 'ended', name: '注销', filter: { state: ['ended'] } },
]

const cardGroups = (own: boolean) => [
  {
    keys: [
      {
        key: 'cardNo',
        off: (v: { id?: number }) => (v.id ? '卡号不能修改，换卡请注销后重新发卡' : undefined),
      },
      'cardType',
      ...(own
        ? []
        : [
            {
              key: 'userId',
              label: '持有人',
              hidden: (v: Holding) => v.staffId !== undefined,
              then: () => ({ roomId: undefined }),
            },
            {
              key: 'staffId',
              label: '持有人（员工）',
              hidden: (v: Holding) => v.userId !== undefined,
              help: '发给自己公司的员工时选这里，不选住户',
              then: () => ({ roomId: undefined }),
            },
          ]),
      {
        key: 'roomId',
        control: HomeSelect,
        wide: true,
        hidden: (v: Holding) => v.staffId !== undefined,
        help: '迁出这个房间时，卡随之注销',
      },
      'beginDate',
      { key: 'endDate', help: '当天仍有效；留空为长期' },
      'deposit',
      { key: 'remark', wide: true },
    ],
  },
]

const removeCards = withReason<IdentityCard>(deleteCards, {
  what: '张门禁卡',
  name: c => c.cardNo,
  presets: ['录入有误'],
  why: c => (c.state === 'ended' ? undefined : '请先注销，再删除'),
})

const change = async (c: IdentityCard, state: 'lost' | 'normal', words: string): Promise<void> => {
  const done = await act(changeCards, { ids: [String(c.id)], state })
  if (done.success) {
    toast.success(`已${words}「${c.cardNo}」`)
  } else {
    toast.warning(bulkWords(done))
  }
}

const end = (cards: readonly IdentityCard[]): Promise<boolean> =>
  danger({
    verb: '注销',
    what: '张门禁卡',
    count: cards.length,
    ...(cards.length === 1 ? { title: `注销门禁卡「${cards[0]!.cardNo}」` } : {}),
    follows: ['注销后不能恢复，换卡请重新发卡'],
    reason: { presets: ['卡片损坏', '遗失', '退卡'] },
    run: async reason =>
      tellDone(
        await act(
          changeCards,
          { ids: cards.map(c => String(c.id)), state: 'ended', reason },
          { quiet: true },
        ),
        '已注销',
      ),
  })

const cardVerbs = (c: IdentityCard): Verbs => [
  ...(c.state === 'normal'
    ? ([{ label: '挂失', may: menu.card.may.edit, run: () => change(c, 'lost', '挂失') }] as Verb[])
    : []),
  ...(c.state === 'lost'
    ? ([{ label: '解挂', may: menu.card.may.edit, run: () => change(c, 'normal', '解挂') }] as Verb[])
    : []),
  ...(c.state === 'ended'
    ? []
    : ([{ label: '注销', may: menu.card.may.edit, run: () => end([c]) }] as Verb[])),
]

/**
 * Cards as somebody's property: of one resident, or all of a project. Which doors they open is access
 * control's.
 */
export function Cards({ userId }: Of) {
  const groups = useMemo(() => cardGroups(userId !== undefined), [userId])
  const form = useEdit({
    what: '门禁卡',
    add: saveCard,
    edit: saveCard,
    rowIsWhole: true,
    name: (c: IdentityCard) => c.cardNo,
    groups,
    ...(userId ? { initial: { userId } as never } : {}),
    why: (c: IdentityCard) => (c.state === 'ended' ? '已注销的卡不能修改' : undefined),
  })
  return (
    <>
      <ListPage
        {...(userId ? { embedded: true, fixed: { userId } } : {})}
        list={listCards}
        what="门禁卡"
        sought="卡号/姓名/手机/拼音"
        name={userId ? 'residents/own-cards' : 'residents/cards'}
        columns={shownCards}
        bar={['cardType']}
        views={cardViews}
        primary={{ ...form.add, label: '发卡' }}
        row={c => [...cardVerbs(c), form.edit(c), removeCards.row(c)]}
        dim={c => c.state === 'ended'}
        batch={[{ label: '注销', may: menu.card.may.edit, danger: true, run: t => end(t.rows) }]}
        {...(userId
          ? {}
          : {
              drawer: {
                title: (c: IdentityCard) => c.cardNo,
                history: identityCard.name,
                verbs: (c: IdentityCard) => [...cardVerbs(c), form.edit(c), removeCards.row(c)],
              },
            })}
      />
      {form.dialog}
    </>
  )
}

const shownFaces = columns(listFaces.output, [
  { key: 'userName', identity: true },
  { key: 'face', width: 72, render: f => <KeptImages of={[f.face]} size={32} /> },
  { key: 'quality', drop: 1 },
  { key: 'beginDate', drop: 1 },
  { key: 'endDate', render: f => f.endDate ?? '长期', text: f => f.endDate ?? '长期' },
  'state',
  { key: 'failReason', drop: 2, grow: 1 },
  { key: 'createTime', title: '录入时间', drop: 1 },
])

const faceViews = [
  { id: '', name: '全部', filter: {} },
  { id: 'waiting', name: '待下发', filter: { state: ['waiting'] } },
  { id: 'good', name: '有效', filter: { state: ['good'] } },
  { id: 'failed', name: '下发失败', filter: { state: ['failed'] } },
]

const faceGroups = (own: boolean) => [
  {
    keys: [
      ...(own ? [] : [{ key: 'userId', wide: true }]),
      'face',
      'beginDate',
      { key: 'endDate', help: '当天仍有效；留空为长期' },
    ],
  },
]

const removeFaces = withReason<FaceKey>(deleteFaces, {
  what: '个人脸',
  name: f => f.userName ?? '',
  presets: ['照片不清晰', '已迁出'],
  follows: ['同时从设备上删除'],
})

/** Faces as keys; devices get them from access control. */
export function Faces({ userId }: Of) {
  const groups = useMemo(() => faceGroups(userId !== undefined), [userId])
  const form = useEdit({
    what: '人脸',
    add: saveFace,
    edit: saveFace,
    rowIsWhole: true,
    name: (f: FaceKey) => f.userName ?? '',
    groups,
    as: 'dialog',
    ...(userId ? { initial: { userId } as never } : {}),
  })
  return (
    <>
      <ListPage
        {...(userId ? { embedded: true, fixed: { userId } } : {})}
        list={listFaces}
        what="人脸"
        sought="姓名/手机/拼音"
        name={userId ? 'residents/own-faces' : 'residents/faces'}
        columns={shownFaces}
        bar={['endDate']}
        views={faceViews}
        primary={{ ...form.add, label: '录入人脸' }}
        row={f => [form.edit(f), removeFaces.row(f)]}
        batch={[removeFaces.batch]}
        {...(userId
          ? {}
          : {
              drawer: {
                title: (f: FaceKey) => f.userName ?? '',
                history: faceKey.name,
                verbs: (f: FaceKey) => [form.edit(f), removeFaces.row(f)],
              },
            })}
      />
      {form.dialog}
    </>
  )
}

export const CardsPage = () => <Cards />
export const FacesPage = () => <Faces />
