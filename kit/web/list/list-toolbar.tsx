import { DownloadOutlined, ImportOutlined, PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { pathOf } from '#kit/contract/call.ts'
import { ActionButton, useAllowedActions, type Action } from '../action.tsx'
import { ColumnSettings } from './column-settings.tsx'
import type { ListProps } from './list-props.ts'
import { ListViews } from './list-views.tsx'
import type { useList } from './use-list.ts'

interface ListToolbarProps<I, T> {
  readonly props: ListProps<I, T>
  readonly list: ReturnType<typeof useList<I, T>>
  readonly primary: Action | undefined
  readonly hiddenKeys: readonly string[]
  readonly hasTotals: boolean
  /** Absent without the permission. */
  readonly onImport: (() => void) | undefined
  readonly onExport: (() => void) | undefined
}

/** Views at the left; import, export, the screen's actions, reload and column settings at the right. */
export function ListToolbar<I, T>({
  props,
  list,
  primary,
  hiddenKeys,
  hasTotals,
  onImport,
  onExport,
}: ListToolbarProps<I, T>) {
  const allowedActions = useAllowedActions()
  const { actions } = list
  return (
    <div className="toolbar" role="toolbar" aria-label="列表操作">
      <ListViews
        list={props.list}
        fixed={list.fixedFilter}
        views={list.views}
        current={list.view}
        query={list.state}
        total={list.page && list.knownTotal}
        settingsKey={props.settingsKey ?? pathOf(props.list)}
        hasFailed={list.retryTotals !== undefined}
        canCount={!list.answer.isPending && !list.answer.isPlaceholderData}
        onChoose={actions.chooseView}
        onSave={actions.saveView}
        onRemove={actions.removeView}
      />
      {onImport && (
        <Button icon={<ImportOutlined />} onClick={onImport}>
          导入
        </Button>
      )}
      {onExport && (
        <Button icon={<DownloadOutlined />} onClick={onExport}>
          导出
        </Button>
      )}
      {allowedActions(props.toolbarActions ?? []).map(action => (
        <ActionButton key={action.label} action={action} />
      ))}
      {primary && <ActionButton action={{ icon: <PlusOutlined />, ...primary }} primary />}
      <i className="divider" />
      <Button type="text" icon={<ReloadOutlined />} aria-label="刷新" title="刷新" onClick={list.reload} />
      <ColumnSettings
        all={props.columns}
        preferences={list.columnPreferences}
        onChange={actions.setColumnPreferences}
        hiddenKeys={hiddenKeys}
        summed={hasTotals}
      />
    </div>
  )
}
