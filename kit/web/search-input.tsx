import { Input, type InputProps } from 'antd'
import { SearchOutlined } from '@ant-design/icons'
import { allowClear } from './allow-clear.tsx'

/** An input that narrows what stands below it. The library's own has a button without a name. */
export const SearchInput = (props: InputProps) => (
  <Input prefix={<SearchOutlined />} allowClear={allowClear} {...props} />
)
