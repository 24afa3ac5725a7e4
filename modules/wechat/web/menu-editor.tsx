import { Button, Empty, Input, Select } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { useUnsaved } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import type { WechatAccount } from '../contract/account.ts'
import { buttonType } from '../contract/choices.ts'
import { getWechatMenu, publishWechatMenu, saveWechatMenu, type MenuButton } from '../contract/menu.ts'
import { maxButtons, menuFaults } from '../domain/menu.ts'
import {
  addAt,
  atPlace,
  canAddChild,
  changeAt,
  moveAt,
  removeAt,
  type MenuPlace,
} from '../domain/menu-edit.ts'
import { menu } from '../module.ts'
import { AccountPage } from './account-page.tsx'
import { MenuPhone } from './menu-phone.tsx'
import './wechat.css'

type Buttons = readonly MenuButton[]

const actionOptions = Object.keys(buttonType.rows).map(key => ({
  value: key,
  label: labelOf(buttonType, key),
}))

interface FieldProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly isDisabled: boolean
}

const TextField = ({ label, value, onChange, placeholder, isDisabled }: FieldProps) => (
  <label className="wx-field">
    <span>{label}</span>
    <Input
      value={value}
      disabled={isDisabled}
      placeholder={placeholder}
      onChange={event => onChange(event.target.value)}
    />
  </label>
)

interface ActionProps {
  readonly button: MenuButton
  readonly isDisabled: boolean
  readonly onChange: (patch: Partial<MenuButton>) => void
}

/** What a button does: one of three kinds, each with its own fields. */
function ActionFields({ button, isDisabled, onChange }: ActionProps) {
  const { type, url, keyword, appId, pagePath } = button
  const textOf = (key: keyof MenuButton) => (value: string) => onChange({ [key]: value || undefined })
  return (
    <>
      <label className="wx-field">
        <span>动作</span>
        <Select
          aria-label="动作"
          value={type}
          disabled={isDisabled}
          options={actionOptions}
          onChange={value => onChange({ type: value })}
        />
      </label>
      {type === 'keyword' && (
        <TextField
          label="关键词"
          value={keyword}
          isDisabled={isDisabled}
          placeholder="与自动回复中的关键词相同"
          onChange={textOf('keyword')}
        />
      )}
      {type === 'mini' && (
        <>
          <TextField label="小程序 AppID" value={appId} isDisabled={isDisabled} onChange={textOf('appId')} />
          <TextField
            label="小程序页面"
            value={pagePath}
            isDisabled={isDisabled}
            onChange={textOf('pagePath')}
          />
        </>
      )}
      {type !== undefined && type !== 'keyword' && (
        <TextField
          label={type === 'mini' ? '备用网址' : '网址'}
          value={url}
          isDisabled={isDisabled}
          placeholder="https://"
          onChange={textOf('url')}
        />
      )}
    </>
  )
}

interface EditorProps {
  readonly buttons: Buttons
  readonly place: MenuPlace
  readonly isDisabled: boolean
  readonly onChange: (buttons: Buttons) => void
  readonly onPlace: (place: MenuPlace | undefined) => void
}

/** The chosen button: its name, its action or its own buttons, its order. */
function ButtonEditor({ buttons, place, isDisabled, onChange, onPlace }: EditorProps) {
  const button = atPlace(buttons, place)
  if (!button) return null
  const isParent = Boolean(button.children?.length)
  const move = (step: -1 | 1) => () => {
    const moved = moveAt(buttons, place, step)
    onChange(moved.buttons)
    onPlace(moved.place)
  }
  const limit = place.length === 1 ? '不超过 4 个汉字' : '不超过 7 个汉字'
  return (
    <section className="wx-editor" aria-label="菜单内容">
      <TextField
        label="名称"
        value={button.name}
        isDisabled={isDisabled}
        placeholder={limit}
        onChange={name => onChange(changeAt(buttons, place, { name }))}
      />
      {isParent ? (
        <p>有子菜单的菜单没有动作</p>
      ) : (
        <ActionFields
          button={button}
          isDisabled={isDisabled}
          onChange={patch => onChange(changeAt(buttons, place, patch))}
        />
      )}
      <div className="wx-editor-actions">
        <Button disabled={isDisabled} onClick={move(-1)}>
          前移
        </Button>
        <Button disabled={isDisabled} onClick={move(1)}>
          后移
        </Button>
        <Button
          danger
          disabled={isDisabled}
          onClick={() => {
            onChange(removeAt(buttons, place))
            onPlace(undefined)
          }}
        >
          删除
        </Button>
      </div>
    </section>
  )
}

interface Stored {
  readonly buttons: Buttons
  readonly version: number
  readonly isPublished: boolean
  readonly publishTime?: string | undefined
}

function menuStateText({ buttons, isPublished, publishTime }: Stored, isDirty: boolean): string {
  if (isDirty) return '有未保存的修改'
  if (!buttons.length && (isPublished || publishTime === undefined)) return '尚未设置菜单'
  return isPublished ? `已发布（${publishTime ?? ''}）` : '有未发布的修改'
}

function MenuEditor({ account, stored }: { readonly account: WechatAccount; readonly stored: Stored }) {
  const hasPermission = usePermission()
  const [draft, setDraft] = useState<Buttons>()
  const [place, setPlace] = useState<MenuPlace | undefined>(stored.buttons.length ? [0] : undefined)
  const saving = useSend(saveWechatMenu)
  const buttons = draft ?? stored.buttons
  const isDirty = draft !== undefined
  const isCleared = !stored.buttons.length && stored.publishTime !== undefined
  useUnsaved(isDirty)
  const [fault] = menuFaults(buttons)
  const isDisabled = !hasPermission(menu.menu.permissions.edit)
  const add = (parent?: number): void => {
    const added = addAt(buttons, parent)
    setDraft(added.buttons)
    setPlace(added.place)
  }
  const save = async (): Promise<void> => {
    await saving.mutateAsync({ accountId: account.id, buttons, version: stored.version })
    setDraft(undefined)
    toast.success('已保存，发布后关注者可见')
  }
  const publish = async (): Promise<void> => {
    const isSure = await confirm({
      title: `发布「${account.mpName}」的菜单`,
      text: isCleared
        ? '菜单已清空，关注者重新进入公众号后不再显示菜单。'
        : '关注者重新进入公众号后看到新的菜单。',
      okLabel: '发布',
    })
    if (!isSure) return
    await sendAndInvalidate(publishWechatMenu, { accountId: account.id })
    toast.success(isCleared ? '已删除公众号的菜单' : '已发布菜单')
  }
  const canPublish = !isDirty && !stored.isPublished && (stored.buttons.length > 0 || isCleared)
  return (
    <div className="wx-menu">
      <header>
        <span role="status">{menuStateText(stored, isDirty)}</span>
        {hasPermission(menu.menu.permissions.edit) && (
          <Button
            type="primary"
            disabled={!isDirty || fault !== undefined}
            loading={saving.isPending}
            onClick={() => void save()}
          >
            保存
          </Button>
        )}
        {hasPermission(menu.menu.permissions.publish) && (
          <Button disabled={!canPublish} onClick={() => void publish()}>
            发布
          </Button>
        )}
      </header>
      {isDirty && fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <div className="wx-menu-parts">
        <MenuPhone
          name={account.mpName}
          buttons={buttons}
          place={place}
          onPlace={setPlace}
          {...(isDisabled || buttons.length >= maxButtons ? {} : { onAdd: () => add() })}
          {...(isDisabled ? {} : { onAddChild: (index: number) => add(index) })}
          canAddChild={index => canAddChild(buttons, index)}
        />
        {place ? (
          <ButtonEditor
            buttons={buttons}
            place={place}
            isDisabled={isDisabled}
            onChange={setDraft}
            onPlace={setPlace}
          />
        ) : (
          <Empty description="在左侧选择或添加菜单" />
        )}
      </div>
    </div>
  )
}

function LoadedMenu({ account }: { readonly account: WechatAccount }) {
  const query = useCall(getWechatMenu, { accountId: account.id }, { quiet: true })
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={8} />
  const { buttons = [], version, isPublished, publishTime } = query.data
  return <MenuEditor account={account} stored={{ buttons, version, isPublished, publishTime }} />
}

/** 自定义菜单: the buttons below the conversation of an account, as a phone shows them. */
export default function MenuPage() {
  return (
    <AccountPage title="自定义菜单">
      {account =>
        account.mpType === 'mini' ? (
          <Empty description="小程序没有自定义菜单，请选择服务号或订阅号" />
        ) : (
          <LoadedMenu account={account} />
        )
      }
    </AccountPage>
  )
}
