// The library's own icon calls itself "loading" in the button's name, and stays in it when its leaving is
// never told to have ended.
export const buttonConfig = {
  autoInsertSpace: false,
  loadingIcon: <i className="turning" aria-hidden="true" />,
}
