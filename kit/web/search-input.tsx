import { Input, type InputProps, type InputRef } from 'antd'
import type { Ref } from 'react'
import { SearchOutlined } from '@ant-design/icons'
import { allowClear } from './allow-clear.tsx'

/** An input that narrows what is below it. The library's own has a button without a name. */
export const SearchInput = (props: InputProps & { readonly ref?: Ref<InputRef> }) => (
  <Input prefix={<SearchOutlined />} allowClear={allowClear} {...props} />
)
