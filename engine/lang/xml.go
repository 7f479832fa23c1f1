package lang

var _ = add(Language{Name: "xml",
	Extensions: "xml xsd xsl xslt svg plist csproj fsproj vbproj props targets xaml resx wsdl rss atom pom",
	Sort:       Data,
	Layout: &Layout{Open: "<!--", Close: "-->",
		Defs: places(`^\s*<[\w:.-]+[^>]*?\s(?:id|name|Name|x:Name|key)="([^"]+)"`)},
})
