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
import { ListPage } from '#kit/web/list/list-page.tsx'
import { toast } from '#kit/web/toast.ts'
import type { Action, Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  changeCardStates,
  deleteCards,
  identityCard,
  listCards,
  saveCard,
  type IdentityCard,
} from '../contract/card.ts'
import { importCards } from '../contract/card-import.ts'
import { menu } from '../module.ts'
import { cardNumberField } from './card-number-control.tsx'
import { HomeSelect } from './home-select.tsx'
import { useHolderRightsTab } from './holder-rights-tab.tsx'

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
  { id: 'ending', name: '7 天内到期', filter: { state: ['normal'], endsSoon: true } },
  { id: 'lost', name: '挂失', filter: { state: ['lost'] } },
  { id: 'expired', name: '过期', filter: { state: ['expired'] } },
  { id: 'ended', name: '注销', filter: { state: ['ended'] } },
]

const cardGroups = (isOneHolder: boolean) => [
  {
    keys: [
      cardNumberField,
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
      { key: 'doorwayGroupIds', wide: true },
      'beginDate',
      { key: 'endDate', help: '当天仍有效；不填为长期' },
      { key: 'deposit', help: '注销后退还的，改为 0' },
      'remark',
    ],
  },
]

const hasDeposit = ({ deposit }: IdentityCard): boolean => (deposit ?? 0) > 0

const deleteCardsAction = createReasonAction<IdentityCard>(deleteCards, {
  unit: '张门禁卡',
  nameOf: card => card.cardNo,
  reasonPresets: ['录入有误'],
  disabledReason: card => {
    if (card.state !== 'ended') return '请先注销，再删除'
    return hasDeposit(card) ? '请先退还押金，并把押金改为 0' : undefined
  },
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
  const project = useProject()
  const tabs = useHolderRightsTab()
  const form = useEdit({
    itemName: '门禁卡',
    add: saveCard,
    edit: saveCard,
    isRowComplete: true,
    nameOf: (card: IdentityCard) => card.cardNo,
    groups,
    ...(userId ? { initial: { userId } } : {}),
    // What remains to be written down of an ended card is that the deposit was returned.
    editDisabledReason: (card: IdentityCard) =>
      card.state === 'ended' && !hasDeposit(card) ? '已注销的卡不能修改' : undefined,
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
        {...(project && !userId ? { import: importCards, importInput: { projectCode: project } } : {})}
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
                width: 880 as const,
                tabs,
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

export const CardsPage = () => <CardList />
