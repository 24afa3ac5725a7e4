// The library's own icon adds "loading" to the button's name, and stays in it when its exit animation is
// never reported as ended.
export const buttonConfig = {
  autoInsertSpace: false,
  loadingIcon: <i className="turning" aria-hidden="true" />,
}
