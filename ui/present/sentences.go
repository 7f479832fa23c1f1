package present

// Sentences that come from the app and hold nothing but words, so that they can be said in every language (Said). Those
// with names and figures in them stay as they come.
const (
	_ Text = "This project hasn't been indexed yet. Would you like to index it now?"
	_ Text = "Couldn't set up the search engine. Please check your internet connection and try again."
	_ Text = "The search index seems corrupted. Rebuilding it now..."
	_ Text = "Can't access some files in this project. Check folder permissions."
	_ Text = "Not enough disk space to create the search index. Free up some space and try again."
	_ Text = "Could not detect project root. Please choose a directory."
	_ Text = "No documentation has been indexed yet. Run create_index to index your project."
	_ Text = "Symbolic links are not allowed for security reasons."
	_ Text = "The folder of this project is not there."
	_ Text = "Searching by meaning isn't available for this project; searching by words works."
	_ Text = "Search MCP is starting. Try again in a few seconds."
	_ Text = "The request was given up."
)

// What is to be done in an editor after it was connected.
const (
	_ Text = "It is there in the next session."
	_ Text = "Quit Claude Desktop and start it again."
	_ Text = "Cursor asks whether to enable it, or shows it in its settings under MCP."
	_ Text = "VS Code asks at the first use whether you trust the server."
	_ Text = "Press Refresh in Windsurf's MCP settings."
	_ Text = "Zed picks it up by itself."
	_ Text = "Press Refresh in Antigravity's list of MCP servers."
	_ Text = "Cline picks it up by itself."
	_ Text = "Continue uses MCP servers in agent mode."
)
