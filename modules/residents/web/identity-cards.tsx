import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import {
  confirmAndSend,
  sendAndInvalidate,
  bulkResultText,
  createReasonAction,
} from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { toast } from '#kit/web/toast.ts'
import type { Action, Actions } from '#kit/web/action.tsx'
import {
  changeCardStates,
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

interface HolderDraft {
  readonly userId?: Id
  readonly staffId?: Id
}

interface HolderProps {
  readonly userId?: Id | undefined
}

const cardColumns = buildColumns(listCards.output, [
  { key: 'cardNo', identity: true },
  'cardType',
  {
    key: 'userName',
    render: card => (card.staffName ? `${card.staffName}（员工）` : card.userName),
    text: card => (card.staffName ? `${card.staffName}（员工）` : (card.userName ?? '')),
  },
  { key: 'roomPath', width: 116 },
  { key: 'beginDate', hidePriority: 1 },
  { key: 'endDate', render: card => card.endDate ?? '长期', text: card => card.endDate ?? '长期' },
  { key: 'deposit', hidePriority: 2 },
  'state',
  { key: 'createTime', title: '发卡时间', hiddenByDefault: true },
])

const cardViews = [
  { id: '', name: '全部', filter: {} },
  { id: 'normal', name: '正常', filter: { state: ['normal'] } },
  { id: 'lost', name: '挂失', filter: { state: ['lost'] } },
  { id: 'expired', name: '过期', filter: { state: ['expired'] } },
  { id: 'ended', name: '注销', filter: { state: ['ended'] } },
]

const cardGroups = (isOneHolder: boolean) => [
  {
    keys: [
      {
        key: 'cardNo',
        disabledReason: (values: { id?: Id }) =>
          values.id ? '卡号不能修改，换卡请注销后重新发卡' : undefined,
      },
      'cardType',
      ...(isOneHolder
        ? []
        : [
            {
              key: 'userId',
              label: '持有人',
              isHidden: (values: HolderDraft) => values.staffId !== undefined,
              deriveValues: () => ({ roomId: undefined }),
            },
            {
              key: 'staffId',
              label: '持有人（员工）',
              isHidden: (values: HolderDraft) => values.userId !== undefined,
              help: '发给物业员工时选择，不选住户',
              deriveValues: () => ({ roomId: undefined }),
            },
          ]),
      {
        key: 'roomId',
        control: HomeSelect,
        isHidden: (values: HolderDraft) => values.staffId !== undefined,
        help: '迁出该房间时，卡随之注销',
      },
      'beginDate',
      { key: 'endDate', help: '当天仍有效；不填为长期' },
      'deposit',
      'remark',
    ],
  },
]

const deleteCardsAction = createReasonAction<IdentityCard>(deleteCards, {
  unit: '张门禁卡',
  nameOf: card => card.cardNo,
  reasonPresets: ['录入有误'],
  disabledReason: card => (card.state === 'ended' ? undefined : '请先注销，再删除'),
})

const setCardState = async (
  card: IdentityCard,
  state: 'lost' | 'normal',
  actionName: string,
): Promise<void> => {
  const result = await sendAndInvalidate(changeCardStates, { ids: [String(card.id)], state })
  if (result.success) {
    toast.success(`已${actionName}「${card.cardNo}」`)
  } else {
    toast.warning(bulkResultText(result))
  }
}

const endCards = (cards: readonly IdentityCard[]): Promise<boolean> =>
  confirmAndSend(changeCardStates, {
    actionLabel: '注销',
    unit: '张门禁卡',
    count: cards.length,
    ...(cards.length === 1 ? { title: `注销门禁卡「${defined(cards[0]).cardNo}」` } : {}),
    consequences: ['注销后不能恢复，换卡请重新发卡'],
    reason: { presets: ['卡片损坏', '遗失', '退卡'] },
    input: { ids: cards.map(card => String(card.id)), state: 'ended' },
  })

const cardActions = (card: IdentityCard): Actions => [
  ...(card.state === 'normal'
    ? ([
        { label: '挂失', needs: menu.card.permissions.edit, run: () => setCardState(card, 'lost', '挂失') },
      ] as Action[])
    : []),
  ...(card.state === 'lost'
    ? ([
        { label: '解挂', needs: menu.card.permissions.edit, run: () => setCardState(card, 'normal', '解挂') },
      ] as Action[])
    : []),
  ...(card.state === 'ended'
    ? []
    : ([{ label: '注销', needs: menu.card.permissions.edit, run: () => endCards([card]) }] as Action[])),
]

/**
 * Cards as somebody's property: of one resident, or all of a project. Which doors they open is access
 * control's.
 */
export function CardList({ userId }: HolderProps) {
  const groups = useMemo(() => cardGroups(userId !== undefined), [userId])
  const form = useEdit({
    itemName: '门禁卡',
    add: saveCard,
    edit: saveCard,
    isRowComplete: true,
    nameOf: (card: IdentityCard) => card.cardNo,
    groups,
    ...(userId ? { initial: { userId } } : {}),
    editDisabledReason: (card: IdentityCard) => (card.state === 'ended' ? '已注销的卡不能修改' : undefined),
  })
  return (
    <>
      <ListPage
        {...(userId ? { embedded: true, fixedFilter: { userId } } : {})}
        list={listCards}
        itemName="门禁卡"
        keywordPlaceholder="卡号/姓名/手机/拼音"
        settingsKey={userId ? 'residents/own-cards' : 'residents/cards'}
        columns={cardColumns}
        barFilters={['cardType']}
        views={cardViews}
        primaryAction={{ ...form.addAction, label: '新增门禁卡' }}
        rowActions={card => [...cardActions(card), form.editAction(card), deleteCardsAction.row(card)]}
        isDimmed={card => card.state === 'ended'}
        batchActions={[
          {
            label: '注销',
            needs: menu.card.permissions.edit,
            danger: true,
            run: selection => endCards(selection.rows),
          },
        ]}
        {...(userId
          ? {}
          : {
              drawer: {
                title: (card: IdentityCard) => card.cardNo,
                historyEntity: identityCard.name,
                actions: (card: IdentityCard) => [
                  ...cardActions(card),
                  form.editAction(card),
                  deleteCardsAction.row(card),
                ],
              },
            })}
      />
      {form.dialog}
    </>
  )
}

const faceColumns = buildColumns(listFaces.output, [
  { key: 'userName', identity: true },
  { key: 'face', width: 72, render: face => <StoredImages fileKeys={[face.face]} size={32} /> },
  { key: 'quality', hidePriority: 1 },
  { key: 'beginDate', hidePriority: 1 },
  { key: 'endDate', render: face => face.endDate ?? '长期', text: face => face.endDate ?? '长期' },
  'state',
  { key: 'failReason', hidePriority: 2, grow: 1 },
  { key: 'createTime', title: '录入时间', hidePriority: 1 },
])

const faceViews = [
  { id: '', name: '全部', filter: {} },
  { id: 'waiting', name: '待下发', filter: { state: ['waiting'] } },
  { id: 'good', name: '有效', filter: { state: ['good'] } },
  { id: 'failed', name: '下发失败', filter: { state: ['failed'] } },
]

const faceGroups = (isOneHolder: boolean) => [
  {
    keys: [
      ...(isOneHolder ? [] : [{ key: 'userId', wide: true }]),
      'face',
      'beginDate',
      { key: 'endDate', help: '当天仍有效；不填为长期' },
    ],
  },
]

const deleteFacesAction = createReasonAction<FaceKey>(deleteFaces, {
  unit: '个人脸',
  nameOf: face => face.userName ?? '',
  reasonPresets: ['照片不清晰', '已迁出'],
  consequences: ['同时从设备上删除'],
})

/** Faces as keys; devices get them from access control. */
export function FaceList({ userId }: HolderProps) {
  const groups = useMemo(() => faceGroups(userId !== undefined), [userId])
  const form = useEdit({
    itemName: '人脸',
    add: saveFace,
    edit: saveFace,
    isRowComplete: true,
    nameOf: (face: FaceKey) => face.userName ?? '',
    groups,
    presentation: 'dialog',
    ...(userId ? { initial: { userId } } : {}),
  })
  return (
    <>
      <ListPage
        {...(userId ? { embedded: true, fixedFilter: { userId } } : {})}
        list={listFaces}
        itemName="人脸"
        keywordPlaceholder="姓名/手机/拼音"
        settingsKey={userId ? 'residents/own-faces' : 'residents/faces'}
        columns={faceColumns}
        barFilters={['endDate']}
        views={faceViews}
        primaryAction={{ ...form.addAction, label: '录入人脸' }}
        rowActions={face => [form.editAction(face), deleteFacesAction.row(face)]}
        batchActions={[deleteFacesAction.batch]}
        {...(userId
          ? {}
          : {
              drawer: {
                title: (face: FaceKey) => face.userName ?? '',
                historyEntity: faceKey.name,
                actions: (face: FaceKey) => [form.editAction(face), deleteFacesAction.row(face)],
              },
            })}
      />
      {form.dialog}
    </>
  )
}

export const CardsPage = () => <CardList />
export const FacesPage = () => <FaceList />
