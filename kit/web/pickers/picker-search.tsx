import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import type { ReactNode } from 'react'
import { allowClear } from '../allow-clear.tsx'
import type { TreeNode } from './tree-selection.ts'
import type { SearchResult, TreeSearch } from './use-tree-search.ts'

export function PickerSearchBox({
  search,
  placeholder,
}: {
  readonly search: TreeSearch<unknown>
  readonly placeholder: string
}) {
  return (
    <div className="pick-search">
      <Input
        size="large"
        aria-label={placeholder}
        placeholder={placeholder}
        prefix={<SearchOutlined />}
        allowClear={allowClear}
        maxLength={100}
        value={search.text}
        onChange={e => search.setText(e.target.value)}
        onCompositionStart={() => search.setComposing(true)}
        onCompositionEnd={() => search.setComposing(false)}
        onPressEnter={e => {
          if (!e.nativeEvent.isComposing && !e.ctrlKey) {
            search.submit()
          }
        }}
      />
    </div>
  )
}

export function PickerSearchResult<D>({
  result,
  notFoundText,
  errorText,
  onRetry,
  drawLeaves,
}: {
  readonly result: SearchResult<D>
  readonly notFoundText: string | undefined
  readonly errorText: (e: unknown) => string
  readonly onRetry: () => void
  readonly drawLeaves: (nodes: readonly TreeNode<D>[]) => ReactNode
}) {
  if (result.error !== undefined)
    return (
      <div className="pick-trouble" role="alert">
        {errorText(result.error)}{' '}
        <button type="button" className="linkish" onClick={onRetry}>
          重试
        </button>
      </div>
    )
  if (!result.nodes) return <div className="pick-quiet">正在查找</div>
  if (!result.nodes.length)
    return <div className="pick-quiet">{notFoundText ?? `未找到「${result.word}」，请更换关键词`}</div>
  return (
    <div className="pick-found" role="group" aria-label="查找结果">
      {drawLeaves(result.nodes)}
    </div>
  )
}
