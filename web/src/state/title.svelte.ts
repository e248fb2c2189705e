/** What the browser's tab says before the name of the page: whose turn it is, for one. Empty is the page's own name. */

class Title {
  text = $state('');
}

export const title = new Title();
