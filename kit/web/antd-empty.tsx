/** Stands for the library's picture of an empty box, which only an empty drop-down would show: words do. */
const AntdEmpty = () => <div className="dropdown-none">无匹配选项</div>

export default Object.assign(AntdEmpty, {
  PRESENTED_IMAGE_DEFAULT: undefined,
  PRESENTED_IMAGE_SIMPLE: undefined,
})
