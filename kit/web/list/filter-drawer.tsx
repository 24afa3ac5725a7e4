import { Button, Drawer } from 'antd'
import { filterKinds } from '../filters/filter-kinds.tsx'
import type { FilterBarProps } from './filter-bar.tsx'

type FilterDrawerProps = Pick<
  FilterBarProps,
  'filters' | 'value' | 'width' | 'changed' | 'onFilter' | 'onReset'
> & { readonly open: boolean; readonly onClose: () => void }

/** All filters of a list, one below the other. */
export const FilterDrawer = ({
  open,
  onClose,
  filters,
  value,
  width,
  changed,
  onFilter,
  onReset,
}: FilterDrawerProps) => (
  <Drawer
    open={open}
    onClose={onClose}
    size={width < 760 ? '100%' : 480}
    title="筛选"
    destroyOnHidden
    footer={
      <div className="footer-actions">
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
        <Button onClick={onReset} disabled={!changed}>
          重置
        </Button>
      </div>
    }
  >
    <div className="filter-list">
      {filters.map(({ name, field }) => {
        const { Control } = filterKinds[field.kind]
        return (
          <div key={name}>
            <label>{field.label}</label>
            <Control field={field} name={name} value={value} onChange={onFilter} />
          </div>
        )
      })}
    </div>
  </Drawer>
)
